import { isLanguage, type Language } from '@/lib/base/text/languages'
import { withBase } from '@/lib/base/base-path'
import { languageOfRequest } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

/** The web app manifest, in the language of the page that links it (`?in=`). */
export async function GET(request: Request): Promise<Response> {
  const asked = new URL(request.url).searchParams.get('in')
  const language = isLanguage(asked) ? asked : 'en'
  const manifest = languageOfRequest(language, () => manifestIn(language))
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}

function manifestIn(language: Language) {
  const icon = (file: string, sizes: string, purpose: 'any' | 'maskable') => ({
    src: withBase(`/icons/${file}`),
    sizes,
    type: 'image/png',
    purpose,
  })
  const shortcut = (name: string, path: string) => ({ name, url: withBase(path) })
  const scope = withBase('/')
  return {
    id: scope,
    name: 'Nod',
    short_name: 'Nod',
    description: t('offline.about'),
    lang: language,
    dir: 'ltr',
    start_url: scope,
    scope,
    display: 'standalone',
    background_color: '#fbfaf8',
    theme_color: '#fbfaf8',
    categories: ['productivity', 'developer'],
    icons: [
      icon('icon-192.png', '192x192', 'any'),
      icon('icon-512.png', '512x512', 'any'),
      icon('maskable-192.png', '192x192', 'maskable'),
      icon('maskable-512.png', '512x512', 'maskable'),
    ],
    shortcuts: [
      shortcut(t('offline.new-chat'), '/'),
      shortcut(t('offline.playground'), '/playground'),
      shortcut(t('offline.lab'), '/lab'),
    ],
  }
}
