/** Every route of ours in Next's notation: logs contain the pattern, never the ids of a request. */
export const routePatterns = [
  '/',
  '/access',
  '/account',
  '/admin',
  '/admin/accounts',
  '/admin/audit',
  '/admin/invitations',
  '/arrived',
  '/c/[id]',
  '/licences',
  '/manifest',
  '/oauth/client.json',
  '/offline',
  '/playground',
  '/lab',
  '/look/[token]',
  '/verify',
  '/settings',
  '/reset-password',
  '/s/[token]',
  '/sign-in',
  '/sign-up',
  '/api/access',
  '/api/account',
  '/api/account/oidc',
  '/api/account/password',
  '/api/account/reset',
  '/api/account/sessions',
  '/api/account/sessions/[id]',
  '/api/account/sign-in',
  '/api/account/sign-out',
  '/api/account/sign-up',
  '/api/admin/accounts/[id]',
  '/api/admin/accounts/[id]/reset',
  '/api/admin/accounts/[id]/sessions',
  '/api/admin/invitations',
  '/api/admin/invitations/[id]',
  '/api/auth/callback/[provider]',
  '/api/chat',
  '/api/conversations',
  '/api/conversations/import',
  '/api/conversations/known',
  '/api/conversations/[id]',
  '/api/conversations/[id]/amendments',
  '/api/conversations/[id]/attachments/[messageId]/[number]',
  '/api/conversations/[id]/calls',
  '/api/conversations/[id]/calls/reason',
  '/api/conversations/[id]/calls/relay',
  '/api/conversations/[id]/calls/stop',
  '/api/conversations/[id]/calls/web',
  '/api/conversations/[id]/export',
  '/api/conversations/[id]/file-places',
  '/api/conversations/[id]/grants',
  '/api/conversations/[id]/grants/[grantId]',
  '/api/conversations/[id]/log',
  '/api/conversations/[id]/looks',
  '/api/conversations/[id]/messages',
  '/api/conversations/[id]/shares',
  '/api/conversations/[id]/title',
  '/api/conversations/[id]/servers',
  '/api/conversations/[id]/tools',
  '/api/health',
  '/api/looks/[token]',
  '/api/metrics',
  '/api/lab/trials',
  '/api/memory',
  '/api/models',
  '/api/new-chats',
  '/api/presets',
  '/api/presets/[id]',
  '/api/projects',
  '/api/projects/[id]',
  '/api/servers',
  '/api/servers/[id]',
  '/api/servers/[id]/offer',
  '/api/servers/[id]/tools',
  '/api/tool-sets/[hash]',
  '/api/python',
  '/api/python/[hash]',
  '/api/ready',
  '/api/runs/[id]/events',
  '/api/runs/[id]/prompt',
  '/api/runs/[id]/pieces',
  '/api/runs/[id]/end',
  '/api/runs/[id]/stop',
  '/api/search',
  '/api/shared/[token]',
  '/api/shares',
  '/api/shares/[id]',
  '/api/tags',
  '/api/use',
] as const

/** Requests that machines repeat, or that come with every page; logged at `debug`. */
const FILES = 'files'
const OTHER = 'other'
const isNoise = new Set<string>([FILES, '/api/health', '/api/metrics', '/api/ready'])

const shapes = routePatterns.map((pattern) => ({ pattern, parts: pattern.split('/') }))

/**
 * The pattern of a path with or without its query: `/c/abc?x=1` → `/c/[id]`; `files` or `other` if it is not one of our
 * routes.
 */
export function routePattern(path: string): string {
  const plain = path.replace(/[?#].*$/s, '').replace(/(.)\/$/, '$1')
  const parts = plain.split('/')
  const found = shapes.find(
    ({ parts: wanted }) =>
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || (part.startsWith('[') && parts[at] !== '')),
  )
  if (found) return found.pattern
  return /^\/(?:_next|workers|sandbox-libs)\/|^\/[\w-]+\.\w+$/.test(plain) ? FILES : OTHER
}

export const isUnloggedRoute = (pattern: string): boolean => isNoise.has(pattern)

const WELL_FORMED = /^[\w.:-]{8,128}$/

/** The id of a request: the one that a trusted proxy sent, if it is well formed, otherwise a new one. */
export function requestId(
  given: string | readonly string[] | undefined,
  { trusted, newId }: { readonly trusted: boolean; readonly newId: () => string },
): string {
  return trusted && typeof given === 'string' && WELL_FORMED.test(given) ? given : newId()
}

export const requestIdHeader = 'x-request-id'
