/** Erlang's formulas for `servers` alike and `load` = arrivals × service time, in erlangs (1917). */

/** The share that is refused where no one waits (M/M/c/c). */
export function erlangB(servers: number, load: number): number {
  let blocked = 1
  for (let n = 1; n <= servers; n += 1) blocked = (load * blocked) / (n + load * blocked)
  return blocked
}

/** The share that waits where all do until there is a place (M/M/c); the load must be below the servers. */
export function erlangC(servers: number, load: number): number {
  const blocked = erlangB(servers, load)
  return (servers * blocked) / (servers - load * (1 - blocked))
}

/** The mean wait of all, also of those that wait not at all; in the unit of `serviceMs`. */
export const meanWait = (servers: number, load: number, serviceMs: number): number =>
  (erlangC(servers, load) * serviceMs) / (servers - load)
