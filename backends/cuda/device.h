// The device as the driver sees it: is there one, memory on it, copies to and from. No CUDA header is needed here, so
// that host sources compile without one. Every failing call throws RunError with the call, the reason and a remedy.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lithe {

// True if kernels of this build can run on the current device; else `why` says what is missing and what to do.
bool cuda_device_available(std::string& why);

void* device_allocate(std::size_t bytes);
void device_release(void* memory) noexcept;
void copy_to_device(void* device, const void* host, std::size_t bytes);
void copy_to_host(void* host, const void* device, std::size_t bytes);  // waits for the kernels before it

// Owner of an array on the device.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size)
      : data_(size == 0 ? nullptr : static_cast<T*>(device_allocate(size * sizeof(T)))), size_(size) {}
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) { upload(host.data()); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceArray() { device_release(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  void upload(const T* host) { copy_to_device(data_, host, size_ * sizeof(T)); }
  void download(T* host) const { copy_to_host(host, data_, size_ * sizeof(T)); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace lithe
