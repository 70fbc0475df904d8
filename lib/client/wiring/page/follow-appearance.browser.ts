import { cookieStoreOrNull, triedCookie } from '@/lib/base/features.browser'
import { loadPart } from '@/lib/i18n/load-part'
import type { WrittenCookies } from './appearance.browser'

type CookieChanges = Readonly<Partial<Record<'changed' | 'deleted', readonly { name: string; value?: string }[]>>>

/**
 * When theme, language and the like are changed in another tab, this one follows at once, or when it becomes visible if
 * the browser sends no notification.
 */
export function followAppearance(): void {
  const follow = async (news?: WrittenCookies) =>
    (await loadPart(() => import('./appearance.browser'))).applyAppearance(news)
  const cookies = cookieStoreOrNull()
  if (!cookies) return window.addEventListener('focus', () => void follow())
  cookies.addEventListener('change', (event) => {
    const { changed = [], deleted = [] } = event as Event & CookieChanges
    if ([...changed, ...deleted].every(({ name }) => name === triedCookie)) return
    void follow(Object.fromEntries(changed.map(({ name, value = '' }) => [name, value])))
  })
}
