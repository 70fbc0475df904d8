import type { AssetManifest } from './asset'

/**
 * The built files with the service worker that the server's settings want under the one address that browsers know: where it
 * is not wanted, the one that takes itself away.
 */
export function withServiceWorker(
  manifest: AssetManifest,
  { basePath, keepsOffline }: { readonly basePath: string; readonly keepsOffline: boolean },
): AssetManifest {
  const { [`${basePath}/sw-off.js`]: off, ...served } = manifest
  return keepsOffline || off === undefined ? served : { ...served, [`${basePath}/sw.js`]: off }
}
