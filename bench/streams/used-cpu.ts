/** What this process used since it began, in microseconds. */
export function usedCpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
