import { PageLink } from '@/components/ui/page-link'
import { textButton } from '@/components/ui/recipes/button'
import { t } from '@/lib/i18n/t'
import { section } from './settings-styles'

/** Of Nod itself, not of this conversation: the last line of the drawer. */
export const AboutSection = () => (
  <p className={section({}, 'text-sm text-muted')}>
    {t('chat-settings.about')}{' '}
    <PageLink className={textButton()} href="/licences">
      {t('chat-settings.licences')}
    </PageLink>
  </p>
)
