// In place of what expat's configure writes on Debian.
#define BYTEORDER 1234
#define HAVE_GETRANDOM 1
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
