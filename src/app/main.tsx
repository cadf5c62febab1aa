import { createRoot } from 'react-dom/client'
import './theme/tokens.css'
import './theme/base.css'
import { App } from './App'
import { boot } from './live/boot'
import { applyTheme } from './stores/theme'

applyTheme()
boot()
createRoot(document.getElementById('root')!).render(<App />)
