#include "streams_callbacks.h"
#include "streams_handles.h"
#include "streams_hosts.h"
#include "streams_numbers.h"
#include "streams_shims.h"
#include "streams_steps.h"

void *streams_hosts_value[STREAMS_HOSTS];

uintptr_t streams_handle_chunks_value[STREAMS_HANDLE_CHUNKS];

_Thread_local uint32_t streams_entered_host_value __attribute__((tls_model("initial-exec"))) = 0;

_Thread_local uint64_t streams_named_error_value __attribute__((tls_model("initial-exec"))) = 0;

bool streams_introspected = false;
