// LITHE_SANITIZED: this program runs under a sanitizer, which has a malloc of its own and forbids RTLD_DEEPBIND. GCC
// and clang say so in different ways.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LITHE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LITHE_SANITIZED 1
#endif
#endif
#ifndef LITHE_SANITIZED
#define LITHE_SANITIZED 0
#endif
