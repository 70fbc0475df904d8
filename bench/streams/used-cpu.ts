/** This process's CPU time since its start, in microseconds. */
export function usedCpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
