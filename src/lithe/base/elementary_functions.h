// Functions of one argument that expressions know, with their first and second derivatives.
#pragma once

#include <cmath>
#include <numbers>

namespace lithe::elementary {

// f(x); with `d` also f' and f''.
struct Function {
  const char* name;
  double (*f)(double x, double* d);
};

inline double logarithm(double x, double* d, double base) {
  if (d) {
    d[0] = 1 / (x * base);
    d[1] = -1 / (x * x * base);
  }
  return std::log(x) / base;
}

inline constexpr Function functions[] = {
    {"sin",
     [](double x, double* d) {
       const double f = std::sin(x);
       if (d) {
         d[0] = std::cos(x);
         d[1] = -f;
       }
       return f;
     }},
    {"cos",
     [](double x, double* d) {
       const double f = std::cos(x);
       if (d) {
         d[0] = -std::sin(x);
         d[1] = -f;
       }
       return f;
     }},
    {"tan",
     [](double x, double* d) {
       const double f = std::tan(x);
       if (d) {
         d[0] = 1 + f * f;
         d[1] = 2 * f * d[0];
       }
       return f;
     }},
    {"asin",
     [](double x, double* d) {
       if (d) {
         const double s = (1 - x) * (1 + x);
         d[0] = 1 / std::sqrt(s);
         d[1] = x * d[0] / s;
       }
       return std::asin(x);
     }},
    {"acos",
     [](double x, double* d) {
       if (d) {
         const double s = (1 - x) * (1 + x);
         d[0] = -1 / std::sqrt(s);
         d[1] = x * d[0] / s;
       }
       return std::acos(x);
     }},
    {"atan",
     [](double x, double* d) {
       if (d) {
         d[0] = 1 / (1 + x * x);
         d[1] = -2 * x * d[0] * d[0];
       }
       return std::atan(x);
     }},
    {"sinh",
     [](double x, double* d) {
       const double f = std::sinh(x);
       if (d) {
         d[0] = std::cosh(x);
         d[1] = f;
       }
       return f;
     }},
    {"cosh",
     [](double x, double* d) {
       const double f = std::cosh(x);
       if (d) {
         d[0] = std::sinh(x);
         d[1] = f;
       }
       return f;
     }},
    {"tanh",
     [](double x, double* d) {
       const double f = std::tanh(x);
       if (d) {
         const double c = std::cosh(x);
         d[0] = 1 / c / c;
         d[1] = -2 * f * d[0];
       }
       return f;
     }},
    {"asinh",
     [](double x, double* d) {
       if (d) {
         const double s = 1 + x * x;
         d[0] = 1 / std::sqrt(s);
         d[1] = -x * d[0] / s;
       }
       return std::asinh(x);
     }},
    {"acosh",
     [](double x, double* d) {
       if (d) {
         const double s = (x - 1) * (x + 1);
         d[0] = 1 / std::sqrt(s);
         d[1] = -x * d[0] / s;
       }
       return std::acosh(x);
     }},
    {"atanh",
     [](double x, double* d) {
       if (d) {
         d[0] = 1 / ((1 - x) * (1 + x));
         d[1] = 2 * x * d[0] * d[0];
       }
       return std::atanh(x);
     }},
    {"exp",
     [](double x, double* d) {
       const double f = std::exp(x);
       if (d) d[0] = d[1] = f;
       return f;
     }},
    {"ln", [](double x, double* d) { return logarithm(x, d, 1); }},
    {"log", [](double x, double* d) { return logarithm(x, d, 1); }},
    {"log2",
     [](double x, double* d) {
       logarithm(x, d, std::numbers::ln2);
       return std::log2(x);
     }},
    {"log10",
     [](double x, double* d) {
       logarithm(x, d, std::numbers::ln10);
       return std::log10(x);
     }},
    {"sqrt",
     [](double x, double* d) {
       const double f = std::sqrt(x);
       if (d) {
         d[0] = 0.5 / f;
         d[1] = -0.25 / (f * x);
       }
       return f;
     }},
    {"sign",
     [](double x, double* d) {
       if (d) d[0] = d[1] = 0;
       return double((x > 0) - (x < 0));
     }},
    {"rint",
     [](double x, double* d) {
       if (d) d[0] = d[1] = 0;
       return std::floor(x + 0.5);
     }},
    {"abs",  // away from 0; at 0 see apply()
     [](double x, double* d) {
       if (d) {
         d[0] = x < 0 ? -1 : 1;
         d[1] = 0;
       }
       return std::abs(x);
     }},
};

}  // namespace lithe::elementary
