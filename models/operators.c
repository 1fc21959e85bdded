// C++'s operator new and delete: blocks that they hand out are heap objects with bounds, as malloc's are.
#include "model.h"

void *__off_note_allocation(void *block, size_t size);
void __off_note_free(void *block);

#define NEW(name)                                                                                                      \
    RAW(void *, name, (size_t));                                                                                       \
    MODEL(void *, name)(size_t size) {                                                                                 \
        return __off_note_allocation(raw_##name(size), size);                                                          \
    }

#define NEW_NOTHROW(name)                                                                                              \
    RAW(void *, name, (size_t, const void *));                                                                         \
    MODEL(void *, name)(size_t size, const void *tag) {                                                                \
        return __off_note_allocation(raw_##name(size, tag), size);                                                     \
    }

#define DELETE(name)                                                                                                   \
    RAW(void, name, (void *));                                                                                         \
    MODEL(void, name)(void *block) {                                                                                   \
        __off_note_free(block);                                                                                        \
        raw_##name(block);                                                                                             \
    }

#define DELETE_SIZED(name)                                                                                             \
    RAW(void, name, (void *, size_t));                                                                                 \
    MODEL(void, name)(void *block, size_t size) {                                                                      \
        __off_note_free(block);                                                                                        \
        raw_##name(block, size);                                                                                       \
    }

NEW(_Znwm)
NEW(_Znam)
NEW_NOTHROW(_ZnwmRKSt9nothrow_t)
NEW_NOTHROW(_ZnamRKSt9nothrow_t)
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE_SIZED(_ZdlPvm)
DELETE_SIZED(_ZdaPvm)
