// A file of chunks, as image formats have them: a signature, then chunks with a type, a length and a checksum.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 4096 };

static const uint8_t signature[4] = {0x89, 'C', 'H', 'K'};

struct file {
    const uint8_t *at, *end;
    int width, height, depth, colours, entries, texts;
    int has_header, has_end;
};

static uint16_t half(const uint8_t *at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}

static uint8_t sum(const uint8_t *at, size_t size) {
    uint8_t all = 0x5A;
    while (size--) {
        all = (uint8_t)((all << 1 | all >> 7) ^ *at++);
    }
    return all;
}

static const char *header(struct file *f, const uint8_t *at, size_t size) {
    if (f->has_header || size != 6) {
        return "bad header";
    }
    f->width = half(at);
    f->height = half(at + 2);
    f->depth = at[4];
    f->colours = at[5];
    if (!f->width || !f->height || f->width * f->height > 1 << 20) {
        return "bad size";
    }
    switch (f->depth) {
    case 1:
    case 2:
    case 4:
        if (f->colours != 0 && f->colours != 3) {
            return "bad colours for a small depth";
        }
        break;
    case 8:
        if (f->colours == 1 || f->colours == 5 || f->colours > 6) {
            return "bad colours";
        }
        break;
    case 16:
        if (f->colours == 3) {
            return "palette too deep";
        }
        break;
    default: return "bad depth";
    }
    f->has_header = 1;
    return NULL;
}

static const char *palette(struct file *f, const uint8_t *at, size_t size) {
    if (!f->has_header || f->colours != 3) {
        return "palette without need";
    }
    if (!size || size % 3) {
        return "bad palette";
    }
    f->entries = (int)(size / 3);
    if (f->entries > 1 << f->depth) {
        return "palette too large";
    }
    for (size_t i = 0; i + 3 <= size; i += 3) {
        if (at[i] == at[i + 1] && at[i + 1] == at[i + 2] && at[i] != 0 && at[i] != 255) {
            return "grey";
        }
    }
    return NULL;
}

static const char *text(struct file *f, const uint8_t *at, size_t size) {
    const uint8_t *end = memchr(at, 0, size);
    if (!end || end == at) {
        return "text without a key";
    }
    if (strcmp((const char *)at, "Title") == 0) {
        f->texts |= 1;
    } else if (strcmp((const char *)at, "Author") == 0) {
        f->texts |= 2;
    } else if (strncmp((const char *)at, "x-", 2) != 0) {
        return "unknown key";
    }
    return NULL;
}

static const char *chunk(struct file *f) {
    if (f->end - f->at < 5) {
        return "cut off";
    }
    size_t size = f->at[0];
    const uint8_t *type = f->at + 1, *body = type + 3;
    if ((size_t)(f->end - body) < size + 1) {
        return "chunk too long";
    }
    if (sum(type, size + 3) != body[size]) {
        return "bad checksum";
    }
    f->at = body + size + 1;
    if (memcmp(type, "HDR", 3) == 0) {
        return header(f, body, size);
    }
    if (memcmp(type, "PAL", 3) == 0) {
        return palette(f, body, size);
    }
    if (memcmp(type, "TXT", 3) == 0) {
        return text(f, body, size);
    }
    if (memcmp(type, "END", 3) == 0) {
        f->has_end = 1;
        return size ? "end with a body" : NULL;
    }
    return type[0] & 0x20 ? NULL : "unknown chunk that must be known";
}

int main(void) {
    static uint8_t room[ROOM];
    ssize_t n;
    size_t size = 0;
    while (size < ROOM && (n = read(0, room + size, ROOM - size)) > 0) {
        size += (size_t)n;
    }
    struct file f = {room, room + size, 0, 0, 0, 0, 0, 0, 0, 0};
    if (size < 4 || memcmp(f.at, signature, 4) != 0) {
        puts("no signature");
        return 1;
    }
    f.at += 4;
    while (!f.has_end) {
        const char *error = chunk(&f);
        if (error) {
            puts(error);
            return 1;
        }
    }
    if (!f.has_header) {
        puts("no header");
        return 1;
    }
    printf("%d x %d, depth %d, colours %d, %d entries, texts %d\n", f.width, f.height, f.depth, f.colours, f.entries, f.texts);
    return 0;
}
