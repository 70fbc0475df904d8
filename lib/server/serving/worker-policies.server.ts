import { createHash } from 'node:crypto'
import type { Asset, AssetManifest } from './asset'

const POLICY = 'Content-Security-Policy'

/**
 * The built files, with policies that the server's settings make, by path: a build does not know which hosts an operator will
 * allow. A file's tags follow its policy, so that no browser goes on with the policy of yesterday.
 */
export function withWorkerPolicies(manifest: AssetManifest, policies: Readonly<Record<string, string>>): AssetManifest {
  const changed = Object.entries(policies).flatMap(([path, policy]) => {
    const asset = Object.hasOwn(manifest, path) ? manifest[path] : undefined
    return asset === undefined ? [] : [[path, withPolicy(asset, policy)] as const]
  })
  return { ...manifest, ...Object.fromEntries(changed) }
}

function withPolicy({ headers, bodies }: Asset, policy: string): Asset {
  const mark = createHash('sha256').update(policy).digest('base64url').slice(0, 8)
  return {
    headers: [...headers.filter(([name]) => name !== POLICY), [POLICY, policy]],
    bodies: bodies.map((body) => ({ ...body, etag: body.etag.replace(/"$/, `.${mark}"`) })),
    isSettled: false,
  }
}
