/** Erlang's formulas for `servers` equal servers and `load` = arrivals × service time, in erlangs (1917). */

/** The share that is refused if nobody waits (M/M/c/c). */
export function erlangB(servers: number, load: number): number {
  let blocked = 1
  for (let n = 1; n <= servers; n += 1) blocked = (load * blocked) / (n + load * blocked)
  return blocked
}

/** The share that waits if all wait for a place (M/M/c); the load must be below the number of servers. */
export function erlangC(servers: number, load: number): number {
  const blocked = erlangB(servers, load)
  return (servers * blocked) / (servers - load * (1 - blocked))
}

/** The mean wait over all, including those that do not wait; in the unit of `serviceMs`. */
export const meanWait = (servers: number, load: number, serviceMs: number): number =>
  (erlangC(servers, load) * serviceMs) / (servers - load)
