CREATE TABLE "play_records" (
	"user_id" uuid NOT NULL,
	"is_free" boolean NOT NULL,
	"lives" integer NOT NULL,
	"best_mass_milli" integer NOT NULL,
	"longest_life_seconds" integer NOT NULL,
	"best_multiple" integer NOT NULL,
	"kills" integer NOT NULL,
	"best_streak" integer NOT NULL,
	CONSTRAINT "play_records_user_id_is_free_pk" PRIMARY KEY("user_id","is_free")
);
--> statement-breakpoint
ALTER TABLE "play_records" ADD CONSTRAINT "play_records_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;