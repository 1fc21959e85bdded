// std::map and iostreams must build and run.
// args: aba
#include <iostream>
#include <map>

int main(int argc, char **argv) {
    std::map<char, int> count;
    for (const char *p = argv[1]; *p; p++)
    //~ branch: arg[1][0] != 0
    //~ branch: arg[1][1] != 0
    //~ branch: arg[1][2] != 0
        count[*p]++;
    std::cout << count['a'] << std::endl; //~ loss: not instrumented and not modelled/call of _ZNSolsEi
    return 0;
}

//~ elsewhere: branch: (int8)arg[1][0] < (int8)arg[1][1] ×2
//~ elsewhere: branch: (int8)arg[1][0] <= (int8)arg[1][1]
//~ elsewhere: branch: (int8)arg[1][2] <= (int8)arg[1][0]
//~ elsewhere: branch: (int8)arg[1][0] <= (int8)arg[1][2]
//~ elsewhere: branch: (int8)arg[1][0] >= 'a'
//~ elsewhere: branch: (int8)arg[1][0] <= 'a'
//~ sources: arg[1](3)
//~ stdout: "2\n"
