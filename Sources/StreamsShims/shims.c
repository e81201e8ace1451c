#include "streams_shims.h"
