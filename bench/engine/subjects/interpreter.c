// The loop of a small bytecode interpreter. The program is built in; it sums, sorts and hashes the input bytes.
#include "input.h"
#include <stdint.h>

enum { PUSH, LOAD, STORE, ADD, SUB, MUL, XOR, SHR, AND, LESS, EQUAL, JUMP, JUMPZ, BYTE, SIZE, GET, PUT, HALT };

struct op {
    uint8_t code;
    int32_t arg;
};

// Variables: 0 index, 1 sum, 2 hash, 3 limit, 4 smallest.
static const struct op program[] = {
    {PUSH, 0}, {STORE, 0}, {PUSH, 0}, {STORE, 1}, {PUSH, 5381}, {STORE, 2}, {SIZE, 0}, {STORE, 3}, {PUSH, 255}, {STORE, 4},
    /* 10: */ {LOAD, 0}, {LOAD, 3}, {LESS, 0}, {JUMPZ, 45},
    {LOAD, 1}, {LOAD, 0}, {BYTE, 0}, {ADD, 0}, {STORE, 1},
    {LOAD, 2}, {PUSH, 33}, {MUL, 0}, {LOAD, 0}, {BYTE, 0}, {XOR, 0}, {PUSH, 0xFFFFFF}, {AND, 0}, {STORE, 2},
    {LOAD, 0}, {BYTE, 0}, {LOAD, 4}, {LESS, 0}, {JUMPZ, 36},
    {LOAD, 0}, {BYTE, 0}, {STORE, 4},
    /* 36: */ {LOAD, 1}, {PUSH, 16}, {SHR, 0}, {PUT, 7}, {LOAD, 0}, {PUSH, 1}, {ADD, 0}, {STORE, 0}, {JUMP, 10},
    /* 45: */ {HALT, 0},
};

static int32_t run(void) {
    int32_t stack[64], variables[16] = {0}, memory[16] = {0};
    int top = 0;
    for (const struct op *at = program;; at++) {
        switch (at->code) {
        case PUSH: stack[top++] = at->arg; break;
        case LOAD: stack[top++] = variables[at->arg]; break;
        case STORE: variables[at->arg] = stack[--top]; break;
        case ADD: top--, stack[top - 1] += stack[top]; break;
        case SUB: top--, stack[top - 1] -= stack[top]; break;
        case MUL: top--, stack[top - 1] = (int32_t)((uint32_t)stack[top - 1] * (uint32_t)stack[top]); break;
        case XOR: top--, stack[top - 1] ^= stack[top]; break;
        case SHR: top--, stack[top - 1] >>= stack[top] & 31; break;
        case AND: top--, stack[top - 1] &= stack[top]; break;
        case LESS: top--, stack[top - 1] = stack[top - 1] < stack[top]; break;
        case EQUAL: top--, stack[top - 1] = stack[top - 1] == stack[top]; break;
        case JUMP: at = program + at->arg - 1; break;
        case JUMPZ: if (!stack[--top]) { at = program + at->arg - 1; } break;
        case BYTE: stack[top - 1] = input[stack[top - 1]]; break;
        case SIZE: stack[top++] = (int32_t)input_size; break;
        case GET: stack[top++] = memory[at->arg]; break;
        case PUT: memory[at->arg] = stack[--top]; break;
        case HALT: return variables[1] ^ variables[2] ^ variables[4] ^ memory[7];
        }
    }
}

int main(int argc, char **argv) {
    read_input(argc, argv);
    int32_t result = 0;
    for (int i = 0; i < repetitions; i++) {
        result ^= run() + i;
    }
    printf("%d\n", result);
    return 0;
}
