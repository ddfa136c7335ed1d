// Native addon whose memory no JavaScript object owns. decode() allocates by malloc and forgets the
// result, so neither a heap snapshot nor process.memoryUsage().external knows of it.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <node_api.h>

// Blocks are in a list only so that the fix can free them.
struct block {
    struct block *next;
    char pixels[];
};

static struct block *blocks;

// decode(bytes): allocates and touches `bytes`. Blocks above 128 KiB get a mapping of their own,
// smaller ones lie in the [heap] mapping.
static napi_value decode(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument;
    uint32_t bytes = 0;
    napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
    napi_get_value_uint32(env, argument, &bytes);
    struct block *block = malloc(sizeof *block + bytes);
    if (block == NULL) {
        napi_throw_error(env, NULL, "out of memory");
        return NULL;
    }
    memset(block->pixels, 1, bytes);
    block->next = blocks;
    blocks = block;
    return NULL;
}

// allocated(): bytes that malloc has handed out in this process, by the C library.
static napi_value allocated(napi_env env, napi_callback_info info) {
    (void)info;
    struct mallinfo2 now = mallinfo2();
    napi_value result;
    napi_create_double(env, (double)(now.uordblks + now.hblkhd), &result);
    return result;
}

// trim(): returns memory that is free in the C library to the kernel.
static napi_value trim(napi_env env, napi_callback_info info) {
    (void)env;
    (void)info;
    malloc_trim(0);
    return NULL;
}

// release(): frees all blocks.
static napi_value release(napi_env env, napi_callback_info info) {
    (void)env;
    (void)info;
    while (blocks != NULL) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
    return NULL;
}

static void export(napi_env env, napi_value exports, const char *name, napi_callback function) {
    napi_value value;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, function, NULL, &value);
    napi_set_named_property(env, exports, name, value);
}

NAPI_MODULE_INIT() {
    export(env, exports, "decode", decode);
    export(env, exports, "allocated", allocated);
    export(env, exports, "release", release);
    export(env, exports, "trim", trim);
    return exports;
}
