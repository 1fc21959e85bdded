//! What a program does that is hard to watch: it behaves as if nobody did, and a replay has all that it had.

use super::{Place, count, text};
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = r#"
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char *what, const char *name) { return strcmp(what, name) == 0; }

static int show(const char *name) {
    FILE *from = fopen(name, "r");
    if (!from)
        return 1;
    for (int c; (c = getc(from)) != EOF;)
        putchar(c);
    return fclose(from);
}

static long sum(int fd) {
    char bytes[4096];
    long sum = 0;
    for (ssize_t size; (size = read(fd, bytes, sizeof bytes)) > 0;)
        for (ssize_t at = 0; at < size; at++)
            sum = sum * 31 + bytes[at];
    return sum;
}

static void *look(void *name) {
    struct stat data;
    int fd = open(name, O_RDONLY);
    printf("%d %d %d\n", stat(name, &data), fd >= 0, access("/nowhere/at/all", R_OK));
    return NULL;
}

static int list(const char *name) {
    DIR *folder = opendir(name);
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.' && printf("%s\n", entry->d_name) > 0;
    return !folder || closedir(folder) || count == 0;
}

/// Whether others find it locked.
static int locked(const char *name) {
    int status;
    if (fork() == 0) {
        struct flock all = {.l_type = F_WRLCK};
        _exit(fcntl(open(name, O_RDWR), F_GETLK, &all) == 0 && all.l_type != F_UNLCK);
    }
    return wait(&status) > 0 && WEXITSTATUS(status) == 1;
}

static void nothing(int signal) { (void)signal; }

static void said(void *what) { puts(what); }

static void *wait_for_byte(void *ends) {
    char byte;
    ssize_t size;
    pthread_cleanup_push(said, "cancelled");
    size = read(*(int *)ends, &byte, 1);
    pthread_cleanup_pop(size == 1);
    return NULL;
}

static void *wait_for_lock(void *fd) {
    struct flock all = {.l_type = F_WRLCK};
    pthread_cleanup_push(said, "cancelled");
    fcntl(*(int *)fd, F_SETLKW, &all);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *wait_for_pipe(void *ends) {
    pthread_cleanup_push(said, "cancelled");
    splice(((int *)ends)[0], NULL, ((int *)ends)[1], NULL, 1, 0);
    pthread_cleanup_pop(0);
    return NULL;
}

static int cancel(void *(*what)(void *), void *with) {
    pthread_t thread;
    void *end;
    if (pthread_create(&thread, NULL, what, with) || pthread_cancel(thread) || pthread_join(thread, &end))
        return 1;
    return printf("%d\n", end == PTHREAD_CANCELED) < 0;
}

int main(int argc, char **argv) {
    const char *what = argv[1];
    if (is(what, "print"))
        return show(argv[2]);
    if (is(what, "append")) {
        FILE *to = fopen("f", "a");
        fputs("added\n", to);
        return fclose(to) || show("f");
    }
    if (is(what, "patch")) {
        int fd = open("f", O_WRONLY);
        return pwrite(fd, "X", 1, 0) != 1 || show("f");
    }
    if (is(what, "replace")) {
        struct stat data;
        FILE *to = stat("f", &data) ? NULL : fopen("f", "w");
        fputs("other\n", to);
        return fclose(to) || show("f");
    }
    if (is(what, "rename"))
        return rename("f", "g") || show("g");
    if (is(what, "link"))
        return link("f", "g") || show("g") || unlink("g");
    if (is(what, "truncate"))
        return truncate("f", 3) || show("f");
    if (is(what, "refused")) {
        // Each of them fails, and nothing has changed.
        int refused = (rmdir("d") < 0) + (unlink("d") < 0) + (open("d", O_WRONLY) < 0) +
                      (open("d", O_WRONLY | O_TRUNC) < 0) + (rename("d", "f") < 0) + (rename("d", "d/inside") < 0) +
                      (open("f", O_WRONLY | O_TRUNC | O_DIRECTORY) < 0);
        return printf("%d\n", refused) < 0 || list("d") || show("f");
    }
    if (is(what, "locks")) {
        int flags[] = {O_RDWR, O_WRONLY, O_WRONLY | O_CREAT, O_WRONLY | O_CREAT | O_EXCL, O_RDWR | O_CREAT | O_TRUNC};
        for (int i = 0; i < 5; i++) {
            char name[] = "lock0";
            name[4] += i;
            int fd = open(name, flags[i], 0600);
            printf("%d %d ", lockf(fd, F_TLOCK, 0), (int)write(fd, "me\n", 3));
            if (rename(name, "held") || link("held", name) || truncate(name, 2))
                return 1;
            printf("%d\n", locked("held"));
            close(fd);
        }
        int fd = open("held", O_RDWR);
        lockf(fd, F_TLOCK, 0);
        if (link("held", "again") || open("again", O_WRONLY) < 0 || truncate("again", 1))
            return 1;
        printf("%d\n", locked("held"));
        return show("held") || unlink("held") || unlink("again");
    }
    if (is(what, "nameless")) {
        int fd = open("d", O_TMPFILE | O_RDWR, 0600);
        return write(fd, "text", 4) != 4 || list("d");
    }
    if (is(what, "names")) {
        for (char name[] = "a"; *name < 'h'; ++*name)
            if (access(name, R_OK) || readlink(name, name + 1, 0) >= 0)
                return 1;
        return show("a") || show("b") || show("c") || show("d") || show("e") || show("f") || show("g");
    }
    if (is(what, "stale")) {
        struct stat data;
        errno = EFAULT;
        return stat("f", &data) || printf("%ld\n", (long)data.st_size) < 0;
    }
    if (is(what, "wander")) {
        struct stat data;
        for (int count = 0; count < 3000; count++)
            if (chdir(".") || stat("f", &data))
                return 1;
        for (int count = 0; count < 20000; count++)
            if (getenv("NOBODY_HAS_THIS_VARIABLE") || stat("f", &data))
                return 1;
        return 0;
    }
    if (is(what, "attributes")) {
        struct timespec times[2] = {{1000, 0}, {2000, 0}};
        struct timeval old[2] = {{1000, 0}, {2000, 0}};
        return chmod("f", 0600) || fchmodat(AT_FDCWD, "f", 0400, AT_SYMLINK_NOFOLLOW) || lutimes("f", old) ||
               utimes("f", NULL) || chown("f", -1, -1) || utimensat(AT_FDCWD, "f", times, 0) || show("f");
    }
    if (is(what, "make"))
        return mkfifo("pipe", 0600) || mknod("node", S_IFREG | 0600, 0) || unlink("pipe") || unlink("node");
    if (is(what, "copies")) {
        setbuf(stdout, NULL);
        puts("a");
        int saved = fcntl(2, F_DUPFD_CLOEXEC, 10), out = fcntl(1, F_DUPFD, 20);
        dup2(1, 2);
        fputs("b\n", stderr);
        dup2(saved, 2);
        fputs("c\n", stderr);
        dprintf(out, "%ld\n", sum(fcntl(0, F_DUPFD, 30)));
        return fcntl(out, F_GETOWN) != 0;
    }
    if (is(what, "limit")) {
        struct rlimit limit = {1024, 1024};
        setrlimit(RLIMIT_FSIZE, &limit);
        for (int count = 0; count < 100; count++)
            printf("%d\n", count);
        return 5;
    }
    if (is(what, "crowd")) {
        // Together they say more than the log may hold.
        for (int number = 0; number < 6; number++)
            if (fork() == 0) {
                for (int count = 0; count < 200; count++)
                    if (write(1, "x", 1) != 1)
                        _exit(1);
                _exit(0);
            }
        for (int status; wait(&status) > 0;)
            dprintf(1, "%d\n", status);
    }
    if (is(what, "lossy")) {
        static char bytes[4096];
        struct rlimit limit;
        long all = 0;
        getrlimit(RLIMIT_FSIZE, &limit);
        for (int count = 0; count < 300; count++)
            all += read(0, bytes, 1);
        limit.rlim_cur = 1024;
        setrlimit(RLIMIT_FSIZE, &limit);
        while (all < 4000000)
            all += read(0, bytes, sizeof bytes);
        limit.rlim_cur = RLIM_INFINITY;
        setrlimit(RLIMIT_FSIZE, &limit);
        for (ssize_t size; (size = read(0, bytes, sizeof bytes)) > 0;)
            all += size;
        printf("%ld\n", all);
    }
    if (is(what, "memory")) {
        for (int count = 0; count < 300; count++)
            if (write(1, "x", 1) != 1)
                return 1;
        return malloc(300 << 20) == NULL;
    }
    if (is(what, "numbers"))
        for (int fd = 512; fd <= getdtablesize(); fd++)
            if (fcntl(fd, F_GETFD) >= 0)
                printf("%d\n", fd);
    if (is(what, "thread")) {
        pthread_attr_t small;
        pthread_t thread;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
        pthread_create(&thread, &small, look, "f");
        return pthread_join(thread, NULL);
    }
    if (is(what, "cancel")) {
        int ends[2], others[2], both[2], fd = open("f", O_RDWR);
        struct flock all = {.l_type = F_WRLCK};
        if (pipe(ends) || pipe(others) || fcntl(fd, F_SETLK, &all))
            return 1;
        pid_t child = fork();
        if (child == 0)
            return cancel(wait_for_lock, &fd);
        waitpid(child, NULL, 0);
        both[0] = ends[0], both[1] = others[1];
        if (cancel(wait_for_byte, ends) || cancel(wait_for_pipe, both))
            return 1;
        both[0] = 0;
        return cancel(wait_for_pipe, both);
    }
    if (is(what, "full")) {
        char bytes[4096] = "";
        if (fcntl(1, F_SETPIPE_SZ, sizeof bytes) < 0 || write(1, bytes, sizeof bytes) != sizeof bytes)
            return 1;
        ssize_t size = splice(open("f", O_RDONLY), NULL, 1, NULL, 100, SPLICE_F_NONBLOCK);
        fprintf(stderr, "%zd %d\n", size, errno == EAGAIN);
        struct sigaction on = {.sa_handler = nothing};
        struct itimerval often = {{0, 10000}, {0, 10000}};
        int ends[2], left = 0;
        if (sigaction(SIGALRM, &on, NULL) || setitimer(ITIMER_REAL, &often, NULL) || pipe(ends) || write(ends[1], "text", 4) != 4)
            return 1;
        size = splice(ends[0], NULL, 1, NULL, 4, 0);
        fprintf(stderr, "%zd %d ", size, errno == EINTR);
        fprintf(stderr, "%d %d\n", ioctl(ends[0], FIONREAD, &left), left);
    }
    if (is(what, "empty")) {
        int ends[2];
        ssize_t size = pipe(ends) ? 0 : splice(0, NULL, ends[1], NULL, 100, SPLICE_F_NONBLOCK);
        printf("%zd %d\n", size, errno == EAGAIN);
        fcntl(0, F_SETFL, O_NONBLOCK);
        size = splice(0, NULL, ends[1], NULL, 100, 0);
        printf("%zd %d\n", size, errno == EAGAIN);
    }
    if (is(what, "sendfile")) {
        struct stat data;
        off_t offset = 1;
        int fd = open("f", O_RDONLY);
        fstat(fd, &data);
        ssize_t first = sendfile(1, fd, &offset, 2), rest = sendfile(1, fd, NULL, data.st_size);
        dprintf(1, "%zd %zd %ld\n", first, rest, (long)offset);
    }
    if (is(what, "splice")) {
        loff_t offset = 1;
        int ends[2];
        if (pipe(ends) || splice(open("f", O_RDONLY), &offset, ends[1], NULL, 3, 0) != 3)
            return 1;
        return splice(ends[0], NULL, 1, NULL, 100, 0) != 3;
    }
    if (is(what, "everywhere")) {
        // Lower ones may be those of whoever runs this test.
        for (int fd = 512; fd < 5000; fd++)
            if (write(fd, "not a record", 12) < 0)
                errno = 0;
    }
    if (is(what, "bytes")) {
        for (int count = atoi(argv[2]); count > 0; count--)
            if (write(1, "x", 1) != 1)
                return 1;
        if (fork() == 0)
            return write(1, "child\n", 6) != 6;
        wait(NULL);
        return write(1, "end\n", 4) != 4;
    }
    if (is(what, "killed")) {
        for (int count = 0;; count++) {
            if (write(1, "x", 1) != 1 || count == 2000)
                raise(SIGKILL);
        }
    }
    if (is(what, "next")) {
        char *words[] = {"next", "end", NULL}, *variables[] = {NULL};
        fexecve(open("/proc/self/exe", O_RDONLY), words, variables);
    }
    if (is(what, "end"))
        return puts("the end") < 0;
    if (is(what, "sum"))
        printf("%ld\n", sum(0));
    return 0;
}
"#;

fn place(name: &str) -> Place {
    Place::of(name, PROGRAM)
}

/// The command's output and status are its own, and all its runs do the same again.
fn watched(name: &str, runs: u64, script: &str) {
    let place = place(name);
    place.write("script", script);
    let mut alone = Command::new("sh");
    alone.arg("script").current_dir(&place.folder).stdin(Stdio::null());
    let alone = alone.output().expect("a shell");
    let (output, report) = place.record(script);
    let said = text(&output.stderr);
    assert_eq!((text(&output.stdout), output.status), (text(&alone.stdout), alone.status), "{said}");
    assert_eq!((count(&report, "runs"), count(&report, "flaky")), (runs, 0), "{report} {said}");
}

#[test]
fn what_a_program_changes_before_it_reads_it_is_kept() {
    let each = |what: &str| format!("printf 'some\\nlines\\n' > f\n./p {what}\nrm -f f g\n");
    let all = ["append", "patch", "replace", "rename", "link", "truncate", "attributes"].map(each);
    watched("changed", 7, &all.concat());
}

/// A call that is refused takes nothing away.
#[test]
fn what_could_not_be_changed_is_kept() {
    let script = "mkdir d; echo in > d/file; printf 'some\\nlines\\n' > f\n./p refused; echo $?\nrm -r d f\n";
    watched("refused", 1, script);
}

/// Closing any descriptor of a file would give them back.
#[test]
fn locks_are_held() {
    watched("locks", 1, "echo some > lock0; echo some > lock1; ./p locks; echo $?; rm -f lock*\n");
}

/// Each beside others that differ from it in one letter.
#[test]
fn names_are_told_apart() {
    watched("names", 1, "for i in a b c d e f g; do echo $i > $i; done\n./p names; echo $?\nrm [a-g]\n");
}

#[test]
fn an_errno_of_before_hides_nothing() {
    watched("stale", 1, "printf 'some\\nlines\\n' > f; ./p stale; rm f\n");
}

#[test]
fn what_is_known_is_not_noted_again() {
    let place = place("wander");
    let (output, report) =
        place.record("echo > f; ./p wander; cat out/.recording-*/*.log out/.recording-*/*.more | wc -c");
    let size: u64 = text(&output.stdout).trim().parse().expect("bytes");
    assert!(size < 100_000, "{size}");
    assert_eq!(count(&report, "flaky"), 0, "{report}");
}

#[test]
fn what_is_only_made_was_not_there() {
    watched("made", 1, "./p make; echo $?\n");
}

#[test]
fn copies_of_streams_are_streams() {
    watched("copies", 2, "echo input | ./p copies 2>/dev/null | cat\n./p copies < data 2>&1\n");
}

#[test]
fn limits_are_the_programs_own() {
    let script = "./p limit | cat\n./p limit > out.txt; echo $?; cat out.txt\n\
                  (ulimit -f 2; i=0; while [ $i -lt 200 ]; do /bin/true || echo $?; i=$((i + 1)); done)\n\
                  head -c 100000 /dev/zero > large; (ulimit -f 64; ./p sum < data; /bin/true; echo $?)\n";
    watched("limits", 3, script);
}

/// The log can get larger than a file may be: the program lives on, and its test says that something is missing.
#[test]
fn the_log_is_nobodys_death() {
    let place = place("crowd");
    let script =
        "(ulimit -f 40; ./p crowd) | tr -d x\n(ulimit -v 2000000; ./p limit | wc -l; ./p limit > to; echo $?)\n";
    let (output, report) = place.record(script);
    assert_eq!(text(&output.stdout), "0\n0\n0\n0\n0\n0\n100\n5\n", "{report}");
    assert_eq!(count(&report, "runs"), 3, "{report}");
    assert!(text(&output.stderr).contains("its log is not whole"), "{}", text(&output.stderr));
}

/// Also where there is room for what comes behind it.
#[test]
fn what_is_lost_is_said() {
    let place = place("lossy");
    let (output, report) = place.record("head -c 5000000 /dev/zero | ./p lossy\n");
    assert_eq!(text(&output.stdout), "5000000\n");
    assert_eq!((count(&report, "runs"), count(&report, "killed")), (1, 0), "{report}");
    assert!(text(&output.stderr).contains("its log is not whole"), "{}", text(&output.stderr));
}

#[test]
fn memory_and_numbers_are_the_programs_own() {
    watched("memory", 2, "(ulimit -v 500000; ./p memory | wc -c; ./p memory > to; echo $?)\n");
    watched("numbers", 1, "ulimit -S -n 1024; ./p numbers\n");
}

/// Many of them may be there at the same time.
#[test]
fn the_file_of_a_process_is_small_at_first() {
    let place = place("small");
    let (output, _) = place.record("./p bytes 300 | tr -d x; stat -c %s out/.recording-*/*.more");
    assert_eq!(text(&output.stdout), "child\nend\n65536\n");
}

#[test]
fn a_small_stack_is_large_enough() {
    watched("stack", 1, "echo > f\n./p thread; echo $?\nrm f\n");
}

/// Nobody ever writes to the pipes, or gives up the lock.
#[test]
fn a_thread_that_waits_can_be_cancelled() {
    watched("cancel", 1, "echo > f; mkfifo q; ./p cancel 0<> q; echo $?; rm f q\n");
}

#[test]
fn who_does_not_want_to_wait_for_a_pipe_does_not() {
    let place = place("waiting");
    let (output, report) = place.record("mkfifo q; ./p empty 0<> q; rm q\n");
    assert_eq!((text(&output.stdout), count(&report, "runs")), ("-1 1\n-1 1\n".to_owned(), 1), "{report}");
    let (output, report) = place.record("mkfifo q; echo text > f; ./p full 1<> q 2> said; cat said; rm q f said\n");
    assert_eq!((text(&output.stdout), count(&report, "runs")), ("-1 1\n-1 1 0 4\n".to_owned(), 1), "{report}");
}

#[test]
fn a_file_without_a_name_hides_no_folder() {
    watched("nameless", 1, "mkdir d; echo > d/a; echo > d/b; ./p nameless | sort; rm -r d\n");
}

/// However many slashes are in between.
#[test]
fn names_in_the_folder_are_in_the_folder() {
    watched("slashes", 2, "echo text > f; ./p print \"$PWD//f\"; ./p print \"$PWD/./f\"; rm f\n");
}

/// It is in every process, whatever that is written in.
#[test]
fn the_library_has_no_names_for_others() {
    let library =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot/liboffshoot_recorder.so");
    let names = Command::new("llvm-nm-19").args(["-D", "--defined-only"]).arg(library).output().expect("llvm-nm-19");
    assert!(names.status.success(), "{}", text(&names.stderr));
    assert_eq!(text(&names.stdout), "");
}

#[test]
fn copies_inside_the_kernel_are_seen() {
    let script = "printf 'some\\nlines\\n' > f\n./p sendfile | cat\n./p sendfile > to; cat to\n./p splice | cat\n\
                  head -c 40000 /dev/zero > f\n./p sendfile > to; wc -c < to\nrm f\n";
    watched("kernel", 4, script);
}

#[test]
fn a_pipe_is_no_program() {
    let place = place("pipe");
    let (output, report) = place.record("mkfifo q; chmod 755 q; ./q 2>/dev/null; echo $?; ./p end\nrm q\n");
    assert_eq!((text(&output.stdout), count(&report, "runs")), ("126\nthe end\n".to_owned(), 1));
}

/// Whatever descriptor the log has, it is written to; the runs before and behind are whole.
#[test]
fn who_writes_to_every_file_spoils_no_other_run() {
    let place = place("everywhere");
    let (output, report) = place.record("./p end\n./p everywhere\n./p end 3\n./p end 4\n");
    assert_eq!((count(&report, "runs"), count(&report, "flaky")), (4, 0), "{report}");
    assert!(text(&output.stderr).contains("bytes of the logs are no records"), "{}", text(&output.stderr));
}

/// Past the first few hundred records a process has a file of its own, and so have its copies.
#[test]
fn many_small_writes_are_in_their_order() {
    watched("bytes", 3, "./p bytes 250\n./p bytes 256\n./p bytes 40000 | md5sum\n");
}

#[test]
fn a_killed_run_takes_no_other_with_it() {
    let place = place("killed");
    let (_, report) = place.record("for i in 1 2 3 4; do ./p killed > to; wc -c < to; ./p end $i; done\n");
    assert_eq!((count(&report, "runs"), count(&report, "killed"), count(&report, "flaky")), (8, 4, 0), "{report}");
}

#[test]
fn who_goes_on_by_a_descriptor_is_known_as_well() {
    watched("next", 2, "./p next; echo $?\n");
}

#[test]
fn an_environment_may_be_large() {
    let script = "i=0; while [ $i -lt 1500 ]; do export V$i=$i; i=$((i + 1)); done\n./p end\n";
    watched("environment", 1, script);
}

#[test]
fn an_input_past_the_bound_is_not_kept() {
    let place = place("input");
    place.write("script", "head -c 3000000 /dev/zero | ./p sum\n");
    let (output, report) = place.record_with(&["--max-size", "1M"], &["sh", "script"]);
    assert_eq!((count(&report, "runs"), count(&report, "killed")), (1, 0), "{report}");
    assert!(text(&output.stderr).contains("standard input is too large to be kept"), "{}", text(&output.stderr));
}
