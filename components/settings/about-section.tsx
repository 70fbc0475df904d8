import { PageLink } from '@/components/ui/page-link'
import { textButton } from '@/components/ui/recipes/button'
import { chatSettingsSentence as say } from '@/lib/words/chat-settings'
import { section } from './settings-look'

/** Of Nod itself, not of this conversation: the last line of the drawer. */
export const AboutSection = () => (
  <p className={section({}, 'text-sm text-muted')}>
    {say('chat-settings.about')}{' '}
    <PageLink className={textButton()} href="/licences">
      {say('chat-settings.licences')}
    </PageLink>
  </p>
)
