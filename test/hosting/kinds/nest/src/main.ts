import 'reflect-metadata';
import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

@Controller()
class Guests {
  @Get('guests/:name')
  read(@Param('name') name: string) {
    return { name };
  }

  @Post('answers')
  answer(@Body() body: { answer?: string }) {
    return { got: body.answer };
  }
}

@Module({ controllers: [Guests] })
class Site {}

const site = await NestFactory.create(Site);
await site.listen(process.env.PORT ?? 3000);
