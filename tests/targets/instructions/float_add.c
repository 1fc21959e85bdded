// Addition and subtraction of floats.
// args: ab
int main(int argc, char **argv) {
    float a = argv[1][0] * 0.25f, b = argv[1][1] * 0.25f;
    if (a + b != 48.75f)
    //~ branch: !(unordered((float)arg[1][0] * 0.25f + (float)arg[1][1] * 0.25f, 0x42430000) || ((float)arg[1][0] * 0.25f + (float)arg[1][1] * 0.25f > 48.75f || (float)arg[1][0] * 0.25f + (float)arg[1][1] * 0.25f < 48.75f))
        return 1;
    if (a - b == -0.25f) //~ branch: (float)arg[1][0] * 0.25f - (float)arg[1][1] * 0.25f == -0.25f
        return 0;
    return 2;
}

//~ sources: arg[1](2)
//~ no-loss
