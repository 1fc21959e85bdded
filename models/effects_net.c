// Effects of functions about the network.
#include "effects.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

// An address and its length, in and out.
static int address_made(int r, struct sockaddr *to, socklen_t *n) {
    if (r >= 0 && to && n) {
        __off_clear(to, *n);
        __off_clear(n, sizeof *n);
    }
    return r;
}

RAW(int, getsockname, (int, struct sockaddr *, socklen_t *));
RAW(int, getpeername, (int, struct sockaddr *, socklen_t *));
RAW(int, accept, (int, struct sockaddr *, socklen_t *));
RAW(int, accept4, (int, struct sockaddr *, socklen_t *, int));

MODEL(int, getsockname)(int fd, struct sockaddr *to, socklen_t *n) {
    return address_made(raw_getsockname(fd, to, n), to, n);
}

MODEL(int, getpeername)(int fd, struct sockaddr *to, socklen_t *n) {
    return address_made(raw_getpeername(fd, to, n), to, n);
}

MODEL(int, accept)(int fd, struct sockaddr *to, socklen_t *n) {
    return address_made(raw_accept(fd, to, n), to, n);
}

MODEL(int, accept4)(int fd, struct sockaddr *to, socklen_t *n, int flags) {
    return address_made(raw_accept4(fd, to, n, flags), to, n);
}

FILLS2(int, getsockopt, (int fd, int level, int name, void *to, socklen_t *n), (fd, level, name, to, n), r == 0, to, *n,
       n, sizeof *n)

RAW(int, getaddrinfo, (const char *, const char *, const struct addrinfo *, struct addrinfo **));

MODEL(int, getaddrinfo)(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **to) {
    string_goes(node, "getaddrinfo");
    string_goes(service, "getaddrinfo");
    int r = raw_getaddrinfo(node, service, hints, to);
    if (r == 0) {
        __off_clear(to, sizeof *to);
        for (struct addrinfo *info = *to; info; info = info->ai_next) {
            __off_clear(info, sizeof *info);
            if (info->ai_addr) {
                __off_clear(info->ai_addr, info->ai_addrlen);
            }
            clear_string(info->ai_canonname);
        }
    }
    return r;
}

RAW(int, getnameinfo, (const struct sockaddr *, socklen_t, char *, socklen_t, char *, socklen_t, int));

MODEL(int, getnameinfo)
(const struct sockaddr *address, socklen_t n, char *host, socklen_t hosts, char *service, socklen_t services, int flags) {
    bytes_go(address, n, "getnameinfo");
    int r = raw_getnameinfo(address, n, host, hosts, service, services, flags);
    if (r == 0) {
        if (host && hosts) {
            clear_string(host);
        }
        if (service && services) {
            clear_string(service);
        }
    }
    return r;
}

static size_t address_size(int family) {
    return family == AF_INET6 ? 16 : 4;
}

RAW(const char *, inet_ntop, (int, const void *, char *, socklen_t));
RAW(int, inet_pton, (int, const char *, void *));
RAW(int, inet_aton, (const char *, struct in_addr *));

MODEL(const char *, inet_ntop)(int family, const void *address, char *to, socklen_t n) {
    bytes_go(address, address_size(family), "inet_ntop");
    const char *r = raw_inet_ntop(family, address, to, n);
    if (r) {
        clear_string(to);
    }
    return r;
}

MODEL(int, inet_pton)(int family, const char *s, void *to) {
    string_goes(s, "inet_pton");
    int r = raw_inet_pton(family, s, to);
    if (r == 1) {
        __off_clear(to, address_size(family));
    }
    return r;
}

MODEL(int, inet_aton)(const char *s, struct in_addr *to) {
    string_goes(s, "inet_aton");
    int r = raw_inet_aton(s, to);
    if (r && to) {
        __off_clear(to, sizeof *to);
    }
    return r;
}
