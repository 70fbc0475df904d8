/** Opens the store and recovers replies of a server that went down, before the first request comes. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return
  const { notePeerAddresses } = await import('@/lib/wiring/peer-address.server')
  notePeerAddresses()
  const { warmUp } = await import('@/lib/wiring/server')
  await warmUp()
  const { offerDirectRoutes } = await import('@/lib/wiring/direct-routes.server')
  offerDirectRoutes(async () => (await import('@/app/api/direct-routes')).directRoutes)
}
