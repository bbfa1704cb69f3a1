// Everything here is an extra: every page works without it.
"use strict";
