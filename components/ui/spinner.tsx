import { Icon } from './icon'

export const Spinner = () => <Icon name="spinner" className="spin" />
