import { Icon } from './icon'

export const Spinner = () => <Icon name="spinner" className="animate-spin motion-reduce:animate-none" />
