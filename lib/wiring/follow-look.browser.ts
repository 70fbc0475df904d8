import { loadPart } from '@/lib/base/load-part'
import type { CookieNews } from './look.browser'

/** Theme, language and the like were chosen in another tab: this one follows at once, or where browsers don't tell, when it is looked at. */
export function followLook(): void {
  const follow = async (news?: CookieNews) => (await loadPart(() => import('./look.browser'))).wearLook(news)
  const cookies = (window as { readonly cookieStore?: EventTarget }).cookieStore
  if (!cookies) return window.addEventListener('focus', () => void follow())
  cookies.addEventListener('change', (event) => {
    const { changed = [] } = event as Event & { readonly changed?: readonly { name: string; value?: string }[] }
    void follow(Object.fromEntries(changed.map(({ name, value = '' }) => [name, value])))
  })
}
