CREATE TABLE "telegram_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"telegram_id" text NOT NULL,
	"connected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "telegram_accounts_telegramId_unique" UNIQUE("telegram_id")
);
--> statement-breakpoint
CREATE TABLE "telegram_inbox" (
	"id" integer PRIMARY KEY NOT NULL,
	"last_update_id" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "telegram_accounts" ADD CONSTRAINT "telegram_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;