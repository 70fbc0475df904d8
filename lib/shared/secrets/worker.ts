import { findInTexts, type SecretKind } from './find-secrets'

// Finds secrets beside the page. Bundled into /workers/secrets.js by scripts/build-sandbox.mjs.

/** `id`: which request is answered. `kinds`: left out, all of them. */
export interface ToSecretsWorker {
  readonly id: number
  readonly texts: readonly string[]
  readonly kinds?: readonly SecretKind[]
}
export interface FromSecretsWorker {
  readonly id: number
  readonly found: ReadonlyMap<string, SecretKind>
}

self.onmessage = ({ data: { id, texts, kinds } }: MessageEvent<ToSecretsWorker>) =>
  void findInTexts(texts, async () => {}, kinds && new Set(kinds)).then((found) =>
    self.postMessage({ id, found } satisfies FromSecretsWorker),
  )
