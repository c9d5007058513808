/** The grammar of `--fault`. */
export const FAULT_HELP = `
Faults:
  --fault TYPE[:VALUE][,NAME=VALUE]...     several strike in this order:
    latency:200ms | latency:50ms-400ms | latency:median=120ms,p99=900ms    answers late
    reset | reset:1000               resets the connection, or after so many bytes of the body
    limit:10/s | limit:100/min       429 and Retry-After for whoever asks more often
    status:503[,retry-after=2s]      an error status, 400 to 599
    expire:after=20 | expire:lifetime=10m | expire:at=2026-01-01T00:00:00Z
                                     tokens stop passing: each after so many requests, or at a time
    timeout | timeout:after=limit    the 504: at once, or after as long as --time-limit
    truncate:1000[,framing=content-length|chunked|complete]
                                     ends the body there; complete: whole for HTTP
    drip:1KB/s                       sends the body slowly
  Which requests (not with expire; limit takes on and route, timeout no route):
    on=v_timeseries_data | on=/join/i | on=*    statements with it; without: every request, also without a token
    route=/schemas/*                 another path of the server
    rate=0.2 | every=5               with a probability, or each n-th
    burst=3                          strikes so many in a row
    times=1, skip=2                  at most so often, not the first ones
  The same --seed and order of requests are the same faults. PUT, POST and DELETE /_mock/faults change them,
  GET counts how often each struck.`
