import { createRoot } from 'react-dom/client'
import './theme/tokens.css'
import './theme/canvas_tokens.css'
import './theme/base.css'
import './theme/foreign.css'
import { App } from './App'
import { boot } from './session/boot'
import { applyTheme } from './theme/theme_store'

applyTheme()
boot()
createRoot(document.getElementById('root')!).render(<App />)
