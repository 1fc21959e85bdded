// The seed of lua's hashes.
#define luai_makeseed(L) 1
