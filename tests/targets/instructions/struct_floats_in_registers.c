// A structure of floats travels in a vector register.
// args: ab

struct point {
    float x, y;
};

__attribute__((noinline)) static struct point scale(struct point p) {
    return (struct point){p.x * 2, p.y * 2};
}

int main(int argc, char **argv) {
    struct point p = scale((struct point){argv[1][0], argv[1][1]});
    if (p.x == 194.0f && p.y > 195.0f)
    //~ branch: (float)arg[1][0] * 2.0f == 194.0f
    //~ branch: (float)arg[1][1] * 2.0f > 195.0f
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
