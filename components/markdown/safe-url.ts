/**
 * The address a link may lead to, or null: http, https, mailto, and places on this page. Everything else (`javascript:`,
 * `data:`, protocol-relative, paths of this app that a model could aim at) is shown as text.
 */
export function safeUrl(url: string | null | undefined): string | null {
  const trimmed = (url ?? '').trim()
  if (/^#[\w-]*$/.test(trimmed)) return trimmed
  if (!/^(?:https?|mailto):/i.test(trimmed)) return null
  try {
    const { protocol } = new URL(trimmed)
    return protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:' ? trimmed : null
  } catch {
    return null
  }
}
