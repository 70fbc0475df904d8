import type { PageFacts } from '@/lib/client/browser-models/doctor/examine'

/** Facts about the browser that matter for reaching servers; read again for each test. */
export async function pageFacts(): Promise<PageFacts> {
  const { origin, protocol } = window.location
  return { origin, isHttps: protocol === 'https:', localNetwork: await localNetworkPermission() }
}

/** Browsers that ask before a page reaches the local network name the permission differently; others have none. */
async function localNetworkPermission(): Promise<PageFacts['localNetwork']> {
  const found: PermissionState[] = []
  for (const name of ['loopback-network', 'local-network', 'local-network-access']) {
    const state = await navigator.permissions?.query({ name: name as PermissionName }).catch(() => null)
    if (state) found.push(state.state)
  }
  return found.find((state) => state === 'denied') ?? found.find((state) => state === 'prompt') ?? found[0] ?? null
}
