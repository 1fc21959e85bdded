// CREST's interface for programs built with Offshoot: CREST_int(x) makes the variable x an input.
#ifndef CREST_H
#define CREST_H

#ifdef __cplusplus
extern "C" {
#endif

void __CrestUChar(unsigned char *x);
void __CrestUShort(unsigned short *x);
void __CrestUInt(unsigned int *x);
void __CrestChar(char *x);
void __CrestShort(short *x);
void __CrestInt(int *x);

#define CREST_unsigned_char(x) __CrestUChar(&(x))
#define CREST_unsigned_short(x) __CrestUShort(&(x))
#define CREST_unsigned_int(x) __CrestUInt(&(x))
#define CREST_char(x) __CrestChar(&(x))
#define CREST_short(x) __CrestShort(&(x))
#define CREST_int(x) __CrestInt(&(x))

#ifdef __cplusplus
}
#endif

#endif
