/*
 * streams_host.h - what bindings of other languages need besides streams.h.
 *
 * C programs need none of this. The rules at the top of streams.h hold here too.
 *
 * CONTENTS. Each part is a header in the folder streams, and this one includes them
 * all. Each section begins with its title.
 *
 *     host_runtime.h
 *         Managed runtimes            a host, and the functions that it registers
 *     host_values.h
 *         Objects of hosts            as values, and sent to subjects
 *     host_methods.h
 *         Methods of hosts            native functions for the classes of a host
 *     host_publishers.h
 *         Publishers of hosts         iterables, generators, operators, schedulers
 *     host_callables.h
 *         Callables                   functions in the shapes that operators take
 *     host_subscribers.h
 *         Receivers of hosts          functions that receive a stream
 */

#ifndef STREAMS_HOST_H
#define STREAMS_HOST_H

#include "streams.h"

/* In the order of the contents. */
/* clang-format off */
#include "streams/host_runtime.h"
#include "streams/host_values.h"
#include "streams/host_methods.h"
#include "streams/host_publishers.h"
#include "streams/host_callables.h"
#include "streams/host_subscribers.h"
/* clang-format on */

#endif /* STREAMS_HOST_H */
