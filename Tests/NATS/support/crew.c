/* crew.c - workers that are processes, and what they have noted. */

#define _GNU_SOURCE
#include "crew.h"

#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void start(crew *self, worker *who) {
    life *now = &who->now;
    memset(now, 0, sizeof *now);
    (void)snprintf(now->path, sizeof now->path, "%s/life-%d", self->host->store, self->lives++);
    now->file = fopen(now->path, "a+e");
    if (now->file == NULL) fail_msg("no file %s", now->path);
    self->begins(now);
    char command[1024];
    (void)snprintf(command, sizeof command, "exec %s %s %s %s %s", who->command, self->host->url,
        self->stream, self->consumer, now->path);
    who->process = fork();
    if (who->process != 0) return;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)execl("/bin/sh", "sh", "-c", command, NULL);
    _exit(127);
}

/* The worker in C is built beside the test. */
static const char *default_command(void) {
    static char command[512];
    char path[256] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) fail_msg("no /proc/self/exe");
    (void)snprintf(command, sizeof command, "%s/worker", dirname(path));
    return command;
}

void crew_start(crew *self) {
    const char *lines = getenv("STREAMS_NATS_WORKERS");
    if (lines != NULL) {
        static char copy[4096];
        (void)snprintf(copy, sizeof copy, "%s", lines);
        for (char *rest = copy, *line; (line = strsep(&rest, "\n")) != NULL;)
            if (line[0] != '\0' && self->count < MOST_WORKERS) self->workers[self->count++].command = line;
    } else {
        for (int i = 0; i < 4; i++) self->workers[self->count++].command = default_command();
    }
    for (int i = 0; i < self->count; i++) start(self, &self->workers[i]);
}

static void read_life(crew *self, life *now) {
    char line[128];
    note what;
    for (;;) {
        long place = ftell(now->file);
        if (fgets(line, sizeof line, now->file) == NULL) break;
        if (strchr(line, '\n') == NULL) {
            (void)fseek(now->file, place, SEEK_SET);
            break;
        }
        if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNd64, &what.number, &what.sequence,
                &what.deliveries, &what.time) != 4)
            fail_msg("%s: not a note: %s", now->path, line);
        now->noted++;
        self->noted(now, &what);
    }
    clearerr(now->file);
}

void crew_read(crew *self) {
    for (int i = 0; i < self->count; i++) {
        worker *who = &self->workers[i];
        int status = 0;
        if (waitpid(who->process, &status, WNOHANG) != 0)
            fail_msg("a worker has ended by itself, with the status %d: %s", status, who->command);
        read_life(self, &who->now);
    }
}

/* Kills it, and reads the rest. */
static void end(crew *self, worker *who) {
    (void)kill(who->process, SIGKILL);
    (void)waitpid(who->process, NULL, 0);
    who->stopped = false;
    read_life(self, &who->now);
    self->ends(&who->now);
    (void)fclose(who->now.file);
}

void crew_replace(crew *self, int number) {
    end(self, &self->workers[number]);
    start(self, &self->workers[number]);
}

void crew_stop(crew *self, int number) {
    self->workers[number].stopped = true;
    (void)kill(self->workers[number].process, SIGSTOP);
}

void crew_continue(crew *self) {
    for (int i = 0; i < self->count; i++) {
        if (self->workers[i].stopped) (void)kill(self->workers[i].process, SIGCONT);
        self->workers[i].stopped = false;
    }
}

void crew_end(crew *self) {
    for (int i = 0; i < self->count; i++) end(self, &self->workers[i]);
}
