import { render } from 'preact'
import { App } from './app.tsx'
import { connect } from './service/connect.ts'
import './style/base.css'
import './style/shell.css'
import './style/happened.css'
import './style/ask.css'
import './style/grid.css'
import './style/chart.css'
import './style/traffic.css'
import './style/contract.css'
import './style/judge.css'

render(<App />, document.getElementById('app')!)
void connect()
