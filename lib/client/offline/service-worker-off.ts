import { basePath } from '@/lib/base/base-path'
import { cacheNames } from './offline-caches'
import type { ServiceWorkerScope } from './worker-scope'

/* Served instead of the service worker if the operator turned it off: it unregisters itself and deletes all caches. */

const scope = globalThis as unknown as ServiceWorkerScope
const { own } = cacheNames(basePath)

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))

scope.addEventListener('activate', (event) => event.waitUntil(leave()))

async function leave(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(own)) await caches.delete(name)
  await scope.registration.unregister()
}
