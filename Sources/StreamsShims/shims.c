#include "streams_shims.h"
#include "streams_steps.h"
