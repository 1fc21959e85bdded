// std::sort over symbolic elements.
// args: cab
#include <algorithm>

int main(int argc, char **argv) {
    char text[3] = {argv[1][0], argv[1][1], argv[1][2]};
    std::sort(text, text + 3);
    if (text[0] == 'a' && text[2] == 'c')
    //~ branch: arg[1][1] == 'a'
    //~ branch: arg[1][0] == 'c'
        return 0;
    return 1;
}

//~ elsewhere: branch: (int8)arg[1][1] < (int8)arg[1][0]
//~ elsewhere: branch: (int8)arg[1][1] <= (int8)arg[1][2]
//~ elsewhere: branch: (int8)arg[1][2] < (int8)arg[1][0]
//~ elsewhere: branch: (int8)arg[1][1] <= (int8)arg[1][2]
//~ sources: arg[1](3)
//~ no-loss
