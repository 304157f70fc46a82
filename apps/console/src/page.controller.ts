import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { sendRefusal } from '@latch/http';
import type { Request, Response } from 'express';
import { type Console, consoleToken } from './console.ts';
import { pageHeaders } from './page.ts';

/** The operator's page. It holds no data: its script asks the read API, with the rights of whoever looks. */
@Controller()
export class PageController {
  constructor(@Inject(consoleToken) private readonly console: Console) {}

  @Get()
  index(@Req() request: Request, @Res() response: Response): void {
    this.send('index.html', { request, response });
  }

  @Get('page/:name')
  file(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    this.send(name, { request, response });
  }

  private send(name: string, exchange: { readonly request: Request; readonly response: Response }): void {
    const file = this.console.page.get(name);
    if (file === undefined) return sendRefusal(exchange, { status: 404, code: 'route.unknown' });
    exchange.response.set(pageHeaders).set('content-type', file.type).send(file.text);
  }
}
