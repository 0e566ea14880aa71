// The bound of the benches: W1 (scenarios/library/validation/w1.yaml) as a loop and no more, by the
// same algorithm: two events an uplink from one queue, reception paths taken at its begin,
// interference by energy at its end. No MAC, no frames, no platform, no digest: what is above its
// time is what those cost. Its draws are its own, so counts agree within 0.02 of the uplinks, not to the last.
//
//     g++ -O3 -o w1 w1.cpp && ./w1 DEVICES SECONDS      prints {"uplinks":…,"received":…}
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <queue>
#include <vector>

namespace {

constexpr int PATHS = 8;
constexpr int CHANNELS = 3;
constexpr double PERIOD_S = 600;
constexpr double RADIUS_M = 6400;
// dBm by SF7 to SF12: what a gateway hears, and the levels by which devices choose their factor.
constexpr double GATEWAY_DBM[] = {-130, -132.5, -135, -137.5, -140, -142.5};
constexpr double DEVICE_DBM[] = {-124, -127, -130, -133, -135, -137};
// Goursaud and Gorce 2015, dB: [wanted][interferer].
constexpr double SIR_DB[6][6] = {
    {6, -16, -18, -19, -19, -20},    {-24, 6, -20, -22, -22, -22}, {-27, -27, 6, -23, -25, -25},
    {-30, -30, -30, 6, -26, -28},    {-33, -33, -33, -33, 6, -29}, {-36, -36, -36, -36, -36, 6}};

uint64_t state = 42;

double draw() {
  state += 0x9e3779b97f4a7c15u;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// LoRa time on air of 29 bytes at 125 kHz, coding rate 4/5 (SX1276 datasheet 4.1.1.7).
double airtimeS(int factor) {
  const double symbol = std::ldexp(1.0, factor) / 125000;
  const int low = factor >= 11 ? 1 : 0;
  const double bits = 8 * 29 - 4 * factor + 28 + 16;
  const double symbols = 8 + std::ceil(bits / (4.0 * (factor - 2 * low))) * 5;
  return (12.25 + symbols) * symbol;
}

struct Signal {
  double beginS, endS, milliwatt;
  int index;
};
struct Device {
  double milliwatt, receivedDbm;
  int index, channel;
  double beginS;
  bool hasPath;
};
struct Event {
  double atS;
  uint32_t device;
  bool isEnd;
  bool operator<(const Event& other) const { return atS > other.atS; }
};

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const auto devices = static_cast<uint32_t>(std::atol(words[1]));
  const double untilS = std::atof(words[2]);
  double airtime[6], sir[6][6];
  for (int f = 0; f < 6; f++) {
    airtime[f] = airtimeS(7 + f);
    for (int g = 0; g < 6; g++) sir[f][g] = std::pow(10, SIR_DB[f][g] / 10);
  }
  std::vector<Device> all(devices);
  std::priority_queue<Event> queue;
  for (uint32_t d = 0; d < devices; d++) {
    const double meters = std::fmax(1, RADIUS_M * std::sqrt(draw()));
    const double dbm = 14 - 7.7 - 37.6 * std::log10(meters);
    int index = 0;
    while (index < 5 && dbm < DEVICE_DBM[index]) index++;
    all[d] = {std::pow(10, dbm / 10), dbm, index, 0, 0, false};
    queue.push({PERIOD_S * draw(), d, false});
  }
  std::deque<Signal> air[CHANNELS];
  long uplinks = 0, received = 0;
  int busyPaths = 0;
  while (!queue.empty() && queue.top().atS < untilS) {
    const Event event = queue.top();
    queue.pop();
    Device& device = all[event.device];
    if (!event.isEnd) {
      device.channel = static_cast<int>(draw() * CHANNELS);
      device.beginS = event.atS;
      const double endS = event.atS + airtime[device.index];
      air[device.channel].push_back({event.atS, endS, device.milliwatt, device.index});
      device.hasPath = busyPaths < PATHS && device.receivedDbm >= GATEWAY_DBM[device.index];
      if (device.hasPath) busyPaths++;
      queue.push({endS, event.device, true});
      queue.push({event.atS + PERIOD_S, event.device, false});
      uplinks++;
      continue;
    }
    auto& signals = air[device.channel];
    while (!signals.empty() && signals.front().beginS + airtime[5] < event.atS - airtime[5])
      signals.pop_front();
    if (!device.hasPath) continue;
    busyPaths--;
    double energy[6] = {0, 0, 0, 0, 0, 0};
    for (const Signal& other : signals) {
      const double overlap = std::fmin(other.endS, event.atS) - std::fmax(other.beginS, device.beginS);
      const bool isOwn = other.beginS == device.beginS && other.milliwatt == device.milliwatt;
      if (overlap > 0 && !isOwn) energy[other.index] += overlap * other.milliwatt;
    }
    const double wanted = airtime[device.index] * device.milliwatt;
    bool survives = true;
    for (int g = 0; g < 6; g++) survives = survives && wanted >= sir[device.index][g] * energy[g];
    if (survives) received++;
  }
  std::printf("{\"uplinks\":%ld,\"received\":%ld}\n", uplinks, received);
  return 0;
}
