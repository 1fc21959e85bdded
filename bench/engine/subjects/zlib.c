// zlib's inflate: a bit buffer, tables of codes built from the input, copies from a window.
#include "input.h"
#include <string.h>
#include <zlib.h>

int main(int argc, char **argv) {
    read_input(argc, argv);
    unsigned room = 1 << 20;
    unsigned char *out = malloc(room);
    unsigned long sum = 0, size = 0;
    int status = Z_STREAM_END;
    for (int i = 0; i < repetitions && status == Z_STREAM_END; i++) {
        z_stream stream;
        memset(&stream, 0, sizeof stream);
        stream.next_in = input;
        stream.avail_in = (unsigned)input_size;
        stream.next_out = out;
        stream.avail_out = room;
        status = inflateInit(&stream);
        if (status == Z_OK) {
            status = inflate(&stream, Z_FINISH);
            size = stream.total_out;
            sum += size;
            inflateEnd(&stream);
        }
    }
    printf("%lu bytes, status %d, %lu\n", size, status, sum);
    return status != Z_STREAM_END;
}
