/** Opens the store, and recovers replies of a crashed server, before the first request. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return
  const { recordPeerAddresses } = await import('@/lib/server/wiring/requests/client-address.server')
  recordPeerAddresses()
  const { warmUp } = await import('@/lib/server/wiring/server')
  await warmUp()
  const { offerDirectRoutes } = await import('@/lib/server/wiring/process/direct-routes.server')
  offerDirectRoutes(async () => (await import('@/app/api/direct-routes')).directRoutes)
}
