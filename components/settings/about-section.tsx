import Link from 'next/link'
import { textButton } from '@/components/ui/recipes/button'
import { section } from './settings-look'

/** Of Nod itself, not of this conversation: the last line of the drawer. */
export const AboutSection = () => (
  <p className={section({}, 'text-sm text-muted')}>
    Nod is made of the work of many:{' '}
    <Link className={textButton()} href="/licences" prefetch={false}>
      Licences
    </Link>
  </p>
)
